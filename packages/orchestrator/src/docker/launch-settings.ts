/** What every container of this installation is made with. */
export interface LaunchSettings {
  readonly installationId: string
  readonly logBytes: number
  /** The engine answered that an image is not there. */
  readonly onImageGone: () => void
}
