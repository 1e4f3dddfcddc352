import { formatImageReference, type ImageReference, type Logger, parseImageReference } from '@matchyard/core/ports'
import { askingUnless, type Engine, EngineUnavailable, wordsOf } from '../engine'
import { type ImageConfig, imageConfig, platformOf } from './image-config'
import { credentialsFor, fullName, type ImagePolicy, isLocal } from './image-policy'
import { type PullFault, pullImage } from './pull'
import { DEFAULT_REGISTRY, registryFault } from './registry-guard'

export type ImageLog = (level: 'info' | 'warn' | 'error', message: string) => void
export type PreparedImage =
  | { readonly ok: true; readonly image: string; readonly sizeBytes: number }
  | { readonly ok: false; readonly message: string }

export interface ImageOffice {
  readonly engine: Engine
  readonly policy: ImagePolicy
  readonly logger: Logger
  /** Returns the reason why the image cannot run; undefined when it can. */
  inspect(image: ImageConfig): Promise<string | undefined>
}

/**
 * Validates an image and returns its name with a digest. Such a name means the same content even when the tag changes
 * (specification, "Build status").
 */
export async function prepareImage(office: ImageOffice, text: string, log: ImageLog): Promise<PreparedImage> {
  const parsed = parseImageReference(text)
  if (!parsed.ok) return refuse(`the image reference ${parsed.fault}`)
  const { reference } = parsed
  try {
    return isLocal(reference) ? await prepareLocal(office, reference, log) : await prepareRemote(office, reference, log)
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    office.logger.error('an image could not be prepared', { image: text, error: error.message })
    return refuse('the container engine of this installation does not answer; register the image again later')
  }
}

async function prepareLocal(office: ImageOffice, reference: ImageReference, log: ImageLog): Promise<PreparedImage> {
  const name = formatImageReference(reference)
  if (!office.policy.localImages) return refuse('images of this machine (local/…) are not allowed by this installation')
  const found = await imageConfig(office.engine, name)
  if (found === undefined) return refuse(`the image ${name} is not in the container engine`)
  log('info', `found ${name} in the engine`)
  return examine(office, found, found.id, log)
}

async function prepareRemote(office: ImageOffice, reference: ImageReference, log: ImageLog): Promise<PreparedImage> {
  const { engine, policy } = office
  const registry = reference.domain ?? DEFAULT_REGISTRY
  const fault = await registryFault(registry, policy.registries)
  if (fault !== undefined) return refuse(fault)
  const name = fullName(reference)
  const before = await imageConfig(engine, name)
  log('info', `fetching ${name}`)
  const limits = { maxBytes: policy.maxBytes, timeoutMs: policy.pullTimeoutMs }
  const pulled = await pullImage(engine, name, credentialsFor(policy, registry), limits, (line) => log('info', line))
  if (!pulled.ok) {
    office.logger.warn('an image could not be fetched', { image: name, why: pulled.why, error: pulled.words })
    return refuse(`the image ${name} ${FAULTS[pulled.why](registry)}`)
  }
  const found = await imageConfig(engine, name)
  if (found === undefined) return refuse(`the image ${name} was fetched and is gone again; register it again`)
  const verdict = await examine(office, found, pinned(found, reference), log)
  if (!verdict.ok && before?.id !== found.id) await discard(office, name)
  return verdict
}

/**
 * Messages for customers. The engine's own messages may contain names of internal networks, so they appear only in the
 * operator's log.
 */
const FAULTS: Readonly<Record<PullFault, (registry: string) => string>> = {
  not_found: (registry) => `is not at ${registry}, or not for this installation's credentials`,
  platform: () => 'does not exist for the processor of this installation',
  too_large: () => 'is too large for this installation',
  too_slow: () => 'could not be fetched in time',
  other: (registry) => `could not be fetched from ${registry}`,
}

async function examine(office: ImageOffice, found: ImageConfig, image: string, log: ImageLog): Promise<PreparedImage> {
  const { maxBytes } = office.policy
  const platform = await platformOf(office.engine)
  log('info', `${found.os}/${found.architecture}, ${found.sizeBytes} bytes, ${image}`)
  if (found.os !== platform.os || found.architecture !== platform.architecture) {
    return refuse(
      `the image is built for ${found.os}/${found.architecture}; this installation runs ${platform.os}/${platform.architecture}`,
    )
  }
  if (found.sizeBytes > maxBytes)
    return refuse(`the image has ${found.sizeBytes} bytes; at most ${maxBytes} are allowed`)
  if (found.entrypoint.length + found.command.length === 0) {
    return refuse('the image has neither an entry point nor a command: nothing says what to run')
  }
  const fault = await office.inspect(found)
  return fault === undefined ? { ok: true, image, sizeBytes: found.sizeBytes } : refuse(fault)
}

/**
 * Returns the image's name with the registry's digest, with which the image can be pulled again. If the image has no
 * digest, returns its content id.
 */
function pinned(found: ImageConfig, reference: ImageReference): string {
  const familiar = familiarName(reference)
  return found.digests.find((digest) => digest.split('@')[0] === familiar) ?? found.id
}

/** Returns the name in the engine's form: without the default registry and its `library/`. */
function familiarName({ domain, path }: ImageReference): string {
  if (domain !== null && domain !== DEFAULT_REGISTRY && domain !== 'index.docker.io') return `${domain}/${path}`
  return path.replace(/^library\//, '')
}

async function discard({ engine, logger }: ImageOffice, name: string): Promise<void> {
  await askingUnless(engine.api.getImage(name).remove(), 404, 409).catch((error: unknown) => {
    logger.warn('a refused image stays in the engine', { image: name, error: wordsOf(error) })
  })
}

const refuse = (message: string): PreparedImage => ({ ok: false, message })
