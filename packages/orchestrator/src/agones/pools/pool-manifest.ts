import { type WarmShape, warmKey } from '@matchyard/core/ports'
import { gameServerSpec, type ManifestSettings, OF_ANNOTATION } from '../manifest'
import { ANNOTATION, fleetName, hashOf, LABEL } from '../names'

/** Template for the game servers of a warm pool. They belong to no launch until a launch takes one of them. */
export interface PoolMade {
  /**
   * Hash that differs for every other pool and for the same pool with other settings, so that a launch never gets a
   * game server with other settings.
   */
  readonly hash: string
  readonly manifest: (replicas: number) => object
}

export function poolMade(shape: WarmShape, settings: ManifestSettings): PoolMade {
  const { installationId } = settings
  // The instance and the match are not known yet. The core refuses a queue with warm game servers whose startup
  // arguments contain the id of an instance or a match.
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
