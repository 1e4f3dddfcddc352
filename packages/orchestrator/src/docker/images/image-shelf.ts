import { formatImageReference, type Logger, parseImageReference } from '@matchyard/core/ports'
import type { Engine } from '../engine'
import { remember } from '../remember'
import { type ImageConfig, imageConfig } from './image-config'
import { credentialsFor, fullName, type ImagePolicy, isLocal } from './image-policy'
import type { ImageSource } from './image-source'
import { pullImage } from './pull'
import { DEFAULT_REGISTRY, registryFault } from './registry-guard'

/** The images of launches, in the engine or fetched into it; one that was seen is not asked for again. */
export class ImageShelf implements ImageSource {
  private readonly seen = new Map<string, ImageConfig>()

  constructor(
    private readonly engine: Engine,
    private readonly policy: ImagePolicy,
    private readonly baseImage: string,
    private readonly logger: Logger,
  ) {}

  async base(): Promise<ImageConfig> {
    // The operator's own choice: no list of registries stands against it.
    const found = await this.find(this.baseImage, async () => undefined)
    if (found === undefined) throw new Error(`the base image of ZIP builds, ${this.baseImage}, cannot be had`)
    return found
  }

  pinned(reference: string): Promise<ImageConfig | undefined> {
    return this.find(reference, (registry) => registryFault(registry, this.policy.registries))
  }

  /** The engine said that one of them is gone. */
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
    // `sha256:…` alone names content that no registry can be asked for.
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
