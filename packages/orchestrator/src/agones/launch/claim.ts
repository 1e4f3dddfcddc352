import type { LaunchSpec } from '@matchyard/core/ports'
import { CONFIG_FILE } from '../../kit/index'
import type { Cluster } from '../cluster'
import type { Placed } from '../heard'
import { ApiRefusal, isJudgement } from '../kube/errors'
import { SECRETS } from '../kube/resources'
import type { GameServerItem, SecretItem } from '../kube/shapes'
import { variableKey } from '../manifest'
import { gameServerName, LABEL } from '../names'

const TRIES = 5
/**
 * Key in the secret of a launch that took a warm game server. No pod mounts this key. So a cold pod (a pod made for the
 * launch itself) of the same launch never starts with a configuration that was written for a warm pod.
 */
const WARM_KEY = 'warm'

/**
 * Result of a claim. `its` says whether this game server has the launch. `text` is the configuration that the first
 * claim wrote. `owner` is the uid of the game server that has the launch. `refused` is the error with which the cluster
 * refused the secret.
 */
export type Claim =
  | { readonly its: true; readonly text: string }
  | { readonly its: false; readonly owner: string }
  | { readonly refused: ApiRefusal }

/**
 * Claims a launch for a game server: creates the secret with the launch's configuration. The name of the secret
 * identifies the launch, and the cluster allows each name only once. Two nodes may make two game servers for one
 * attempt, for example a warm one and a cold one. Only the game server with the claim gets the configuration. `isThere`
 * returns whether the game server that owns the secret still exists.
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
      // The cluster checks the quota before the name. So the secret may exist although the quota refused the call.
      if (isJudgement(error)) refused = error
      else if (error.code !== 409) throw error
    }
    const there = await cluster.claimOf(spec)
    if (there === undefined && refused !== undefined) return { refused }
    if (there === undefined) continue
    const owner = there.metadata.ownerReferences?.[0]?.uid ?? ''
    if (owner === server.metadata.uid) return { its: true, text: textIn(there) ?? text }
    if (await isThere(owner)) return { its: false, owner }
    // The owner of the secret, an earlier game server with this name, no longer exists. The cluster would delete the
    // secret together with its owner, and the pod would wait for the secret forever.
    await cluster.client.delete(SECRETS, there.metadata)
  }
  throw new ApiRefusal(409, 'AlreadyExists', 'the configuration of an earlier game server does not go', undefined)
}

/**
 * Returns in `its` the game server with the claim, for each attempt; and in `others` the surplus game servers, which
 * must be removed.
 */
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
      // No game server has the claim yet. Each of them may still get it, so none may be removed.
      return its === undefined ? { its: first, others: [] } : { its, others: all.filter((each) => each !== its) }
    }),
  )
  return { its: decided.map(({ its }) => its), others: decided.flatMap(({ others }) => others) }
}

function secretOf(
  { instanceId, attempt, environment = {}, secretVariables = [] }: LaunchSpec,
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
    data: {
      [key]: encoded(text),
      ...Object.fromEntries(secretVariables.map((name) => [variableKey(name), encoded(environment[name] ?? '')])),
    },
  }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64')

function textIn({ data = {} }: SecretItem): string | undefined {
  const content = data[WARM_KEY] ?? data[CONFIG_FILE]
  return content === undefined ? undefined : Buffer.from(content, 'base64').toString()
}
