import type { LaunchSpec } from '@matchyard/core/ports'
import { CONFIG_FILE } from '../../kit/index'
import type { Cluster } from '../cluster'
import type { Placed } from '../heard'
import { ApiRefusal, isJudgement } from '../kube/errors'
import { SECRETS } from '../kube/resources'
import type { GameServerItem, SecretItem } from '../kube/shapes'
import { gameServerName, LABEL } from '../names'

const TRIES = 5
/**
 * Key that no pod mounts: a cold pod that was made for the same launch never starts with the configuration of a warm
 * one.
 */
const WARM_KEY = 'warm'

/**
 * Result of a claim. `its`: whether the launch is claimed for the game server. `text`: the configuration as the first
 * claim wrote it. `refused`: the cluster's refusal of the secret.
 */
export type Claim =
  | { readonly its: true; readonly text: string }
  | { readonly its: false; readonly owner: string }
  | { readonly refused: ApiRefusal }

/**
 * Claims a launch for a game server: makes the secret with its configuration, whose name the cluster gives only once.
 * Two nodes may make two game servers for one attempt, or one a warm and one a cold game server. Then the other game
 * server gets no configuration. `isThere`: whether the game server that owns the secret still exists.
 */
export async function claim(
  cluster: Cluster,
  spec: LaunchSpec,
  server: GameServerItem,
  { installationId, isThere }: { readonly installationId: string; readonly isThere: (uid: string) => Promise<boolean> },
): Promise<Claim> {
  const text = JSON.stringify(spec.config, undefined, 2)
  for (let tries = 0; tries < TRIES; tries++) {
    let refused: ApiRefusal | undefined
    try {
      await cluster.client.create(SECRETS, secretOf(spec, server, { installationId, text }))
      return { its: true, text }
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      // The cluster checks the quota before the name, so the secret may exist all the same.
      if (isJudgement(error)) refused = error
      else if (error.code !== 409) throw error
    }
    const there = await cluster.claimOf(spec)
    if (there === undefined && refused !== undefined) return { refused }
    if (there === undefined) continue
    const owner = there.metadata.ownerReferences?.[0]?.uid ?? ''
    if (owner === server.metadata.uid) return { its: true, text: textIn(there) ?? text }
    if (await isThere(owner)) return { its: false, owner }
    // The owner is gone: an earlier game server of this name. The cluster would collect the secret, and the pod would
    // wait for it forever.
    await cluster.client.delete(SECRETS, there.metadata)
  }
  throw new ApiRefusal(409, 'AlreadyExists', 'the configuration of an earlier game server does not go', undefined)
}

/** Returns the claimed game server of each attempt in `its`, and the other game servers, which must go, in `others`. */
export async function onePerAttempt<T extends { readonly one: Placed }>(
  cluster: Cluster,
  found: readonly T[],
): Promise<{ readonly its: readonly T[]; readonly others: readonly T[] }> {
  const byAttempt = new Map<string, T[]>()
  for (const each of found) {
    const key = `${each.one.instanceId}/${each.one.attempt}`
    byAttempt.set(key, [...(byAttempt.get(key) ?? []), each])
  }
  const decided = await Promise.all(
    [...byAttempt.values()].map(async ([first, ...more]) => {
      if (first === undefined || more.length === 0) return { its: first as T, others: [] }
      const all = [first, ...more]
      const owner = (await cluster.claimOf(first.one))?.metadata.ownerReferences?.[0]?.uid
      const its = all.find(({ one }) => one.server.metadata.uid === owner)
      // While the attempt is claimed for none of them, each may still be claimed, so none must go.
      return its === undefined ? { its: first, others: [] } : { its, others: all.filter((each) => each !== its) }
    }),
  )
  return { its: decided.map(({ its }) => its), others: decided.flatMap(({ others }) => others) }
}

function secretOf(
  { instanceId, attempt }: LaunchSpec,
  { metadata: { name, uid, labels = {} } }: GameServerItem,
  { installationId, text }: { readonly installationId: string; readonly text: string },
): object {
  const key = labels[LABEL.pool] === undefined ? CONFIG_FILE : WARM_KEY
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: gameServerName(installationId, instanceId, attempt),
      labels,
      ownerReferences: [{ apiVersion: 'agones.dev/v1', kind: 'GameServer', name, uid }],
    },
    immutable: true,
    data: { [key]: Buffer.from(text).toString('base64') },
  }
}

function textIn({ data = {} }: SecretItem): string | undefined {
  const encoded = data[WARM_KEY] ?? data[CONFIG_FILE]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString()
}
