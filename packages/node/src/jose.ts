let loading: Promise<typeof import('jose')> | undefined

/** Returns `jose`, loaded when the first token is issued or read: it would be a tenth of the code loaded before the first answer. */
export const jose = (): Promise<typeof import('jose')> => {
  loading ??= import('jose')
  return loading
}
