import { type WarmShape, warmKey } from '@matchyard/core/ports'
import { gameServerSpec, type ManifestSettings, OF_ANNOTATION } from '../manifest'
import { ANNOTATION, fleetName, hashOf, LABEL } from '../names'

/** Template of a pool's game servers. They belong to no launch until a launch takes one. */
export interface PoolMade {
  /**
   * Distinguishes the pool from every other pool, and from the same pool with other settings: a launch never gets a
   * game server with other settings.
   */
  readonly hash: string
  readonly manifest: (replicas: number) => object
}

export function poolMade(shape: WarmShape, settings: ManifestSettings): PoolMade {
  const { installationId } = settings
  // No instance and no match is known yet. The core refuses a queue with warm game servers whose startup arguments name
  // an instance or a match.
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
