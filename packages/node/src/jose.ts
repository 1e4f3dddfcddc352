let loading: Promise<typeof import('jose')> | undefined

/** Loaded when the first token is issued or read: of what a service loads before its first answer it would be a tenth. */
export const jose = (): Promise<typeof import('jose')> => {
  loading ??= import('jose')
  return loading
}
