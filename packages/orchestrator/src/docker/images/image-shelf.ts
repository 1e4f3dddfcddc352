import { formatImageReference, type Logger, parseImageReference } from '@matchyard/core/ports'
import type { Engine } from '../engine'
import { remember } from '../remember'
import { type ImageConfig, imageConfig } from './image-config'
import { credentialsFor, fullName, type ImagePolicy, isLocal } from './image-policy'
import type { ImageSource } from './image-source'
import { pullImage } from './pull'
import { DEFAULT_REGISTRY, registryFault } from './registry-guard'

/** Finds the images of launches in the engine, or pulls them. An image that was found once is cached. */
export class ImageShelf implements ImageSource {
  private readonly seen = new Map<string, ImageConfig>()

  constructor(
    private readonly engine: Engine,
    private readonly policy: ImagePolicy,
    private readonly baseImage: string,
    private readonly logger: Logger,
  ) {}

  async base(): Promise<ImageConfig> {
    // The operator chose the base image, so the list of allowed registries does not apply to it.
    const found = await this.find(this.baseImage, async () => undefined)
    if (found === undefined) throw new Error(`the base image of ZIP builds, ${this.baseImage}, cannot be pulled`)
    return found
  }

  pinned(reference: string): Promise<ImageConfig | undefined> {
    return this.find(reference, (registry) => registryFault(registry, this.policy.registries))
  }

  /** Clears the cache. The caller does so after the engine reported a missing image. */
  forget(): void {
    this.seen.clear()
  }

  private async find(
    text: string,
    faultOf: (registry: string) => Promise<string | undefined>,
  ): Promise<ImageConfig | undefined> {
    const known = this.seen.get(text) ?? (await imageConfig(this.engine, text)) ?? (await this.fetch(text, faultOf))
    if (known !== undefined) remember(this.seen, text, known)
    return known
  }

  private async fetch(
    text: string,
    faultOf: (registry: string) => Promise<string | undefined>,
  ): Promise<ImageConfig | undefined> {
    const parsed = parseImageReference(text)
    // A plain `sha256:…` names no registry from which the image could be pulled.
    if (!parsed.ok || isLocal(parsed.reference) || text.startsWith('sha256:')) return undefined
    const registry = parsed.reference.domain ?? DEFAULT_REGISTRY
    const name = fullName(parsed.reference)
    const { maxBytes, pullTimeoutMs: timeoutMs } = this.policy
    const why =
      (await faultOf(registry)) ??
      (await pullImage(this.engine, name, credentialsFor(this.policy, registry), { maxBytes, timeoutMs }, () => {}))
    if (typeof why !== 'string' && why.ok) return imageConfig(this.engine, text)
    const error = typeof why === 'string' ? why : why.words
    this.logger.error('an image could not be fetched', { image: formatImageReference(parsed.reference), error })
    return undefined
  }
}
