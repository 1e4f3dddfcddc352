/** Settings that are the same for all containers of this installation. */
export interface LaunchSettings {
  readonly installationId: string
  readonly logBytes: number
  /** Called when the engine reported a missing image. */
  readonly onImageGone: () => void
}
