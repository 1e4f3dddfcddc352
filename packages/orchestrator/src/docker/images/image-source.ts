import type { ImageConfig } from './image-config'

/** Where containers' images come from. */
export interface ImageSource {
  /** What ZIP builds run on. Throws with a sentence when it cannot be had. */
  base(): Promise<ImageConfig>
  /** A pinned image, fetched again where it went. undefined when it cannot be had any more. */
  pinned(reference: string): Promise<ImageConfig | undefined>
}
