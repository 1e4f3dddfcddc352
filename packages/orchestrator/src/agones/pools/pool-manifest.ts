import { type WarmShape, warmKey } from '@matchyard/core/ports'
import { gameServerSpec, type ManifestSettings, OF_ANNOTATION } from '../manifest'
import { ANNOTATION, fleetName, hashOf, LABEL } from '../names'

/** What all of one pool are made of; no launch's, until one takes it. */
export interface PoolMade {
  /** Tells this pool from every other one, and from itself under other settings: servers that are made otherwise never mix. */
  readonly hash: string
  readonly manifest: (replicas: number) => object
}

export function poolMade(shape: WarmShape, settings: ManifestSettings): PoolMade {
  const { installationId } = settings
  // Queues are refused whose arguments name an instance or a match.
  const started = { ...shape, instanceId: '', matchId: null }
  const specOf = (metadata: object) => gameServerSpec(started, settings, metadata, OF_ANNOTATION)
  const hash = hashOf(JSON.stringify([warmKey(shape), specOf({})]), 40)
  const labels = { [LABEL.installation]: hashOf(installationId, 40), [LABEL.pool]: hash }
  const metadata = { labels, annotations: { [ANNOTATION.installation]: installationId } }
  return {
    hash,
    manifest: (replicas) => ({
      apiVersion: 'agones.dev/v1',
      kind: 'Fleet',
      metadata: { name: fleetName(installationId, hash), ...metadata },
      spec: { replicas, scheduling: 'Packed', template: { metadata, spec: specOf(metadata) } },
    }),
  }
}
