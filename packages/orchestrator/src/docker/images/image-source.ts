import type { ImageConfig } from './image-config'

/** Provides the images of containers. */
export interface ImageSource {
  /** Returns the base image of ZIP builds. Rejects with an error message when the image cannot be found or pulled. */
  base(): Promise<ImageConfig>
  /**
   * Returns an image by its name with a digest; pulls the image again when the engine lost it. Returns undefined when
   * the pull fails.
   */
  pinned(reference: string): Promise<ImageConfig | undefined>
}
