import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import { type Cluster, OWNER, startCluster } from '../../src/many-nodes/cluster'
import { BY_HEADER, CHANGES, type Proof, ProofSettings } from '../../src/many-nodes/proofs'
import { rounds, seeded } from '../../src/rounds'

/** Players who send calls without a pause, distributed equally over the nodes. */
const CALLERS = 6
/** How many recent proofs are tried again after they became invalid. */
const REMEMBERED = 5
const REFUSALS = ['PLAYER_TOKEN_REQUIRED', 'INVALID_PLAYER_TOKEN']

interface Made {
  readonly proof: Proof
  readonly node: string
  readonly from: number
  readonly to: number
  readonly taken: boolean
}

/** A time with certainty about valid proofs: from an acknowledged change until the next change is sent. */
interface Era {
  readonly from: number
  readonly to: number
  readonly valid: ReadonlySet<Proof>
}

describe('how players prove themselves is changed on one node while they act on all', () => {
  const { seed, next: chance } = seeded()
  const pick = <T>(items: readonly T[]) => items[Math.floor(chance() * items.length)] as T
  let cluster: Cluster
  let settings: ProofSettings
  const lobbies = new Map<string, string>()

  beforeAll(async () => {
    cluster = await startCluster()
    const login = { method: 'POST', path: '/v1/auth/login', body: OWNER }
    settings = new ProofSettings(cluster, (await cluster.next().control<{ token: string }>(login)).body.token)
    const byBackend = { method: 'POST', key: cluster.serverKey }
    const queue = { queue_id: 'open', name: 'Open' }
    expect((await cluster.next().call({ ...byBackend, path: '/v1/queues', body: queue })).status).toBe(201)
    for (let caller = 0; caller < CALLERS; caller++) {
      const player = `p${caller}`
      const make = { ...byBackend, path: '/v1/lobbies', player, body: { queue_id: 'open' } }
      lobbies.set(player, (await cluster.next().call<{ lobby_id: string }>(make)).body.lobby_id)
    }
    await settings.change('secret')
  }, 120_000)
  afterAll(() => cluster?.stop())

  it('no call that began after the change was acknowledged is taken on what held before, and none with a good proof is refused', {
    timeout: 1_800_000,
  }, async () => {
    const calls: Made[] = []
    const eras: Era[] = []
    let known: readonly Proof[] = [BY_HEADER, ...settings.valid]
    let over = false
    const since = new Array<number>(CALLERS).fill(0)

    const act = async (caller: number) => {
      const player = `p${caller}`
      const path = `/v1/lobbies/${lobbies.get(player)}`
      const node = cluster.node(caller)
      while (!over) {
        const proof = pick(known)
        const does = pick([
          { method: 'POST', path: `${path}/heartbeat` },
          { method: 'PATCH', path: `${path}/players/${player}`, body: { state: { n: calls.length } } },
          { method: 'GET', path: '/v1/players/me/lobbies' },
          { method: 'POST', path: '/v1/lobbies/quick-join', body: { queue_id: 'open' } },
        ])
        const headers = proof.headers(player)
        const from = performance.now()
        const { status, body } = await node.call({ ...does, headers })
        const taken = status < 300
        if (!taken && !REFUSALS.includes(String(body.code))) throw new Error(`${status} ${JSON.stringify(body)}`)
        calls.push({ proof, node: node.nodeId, from, to: performance.now(), taken })
        since[caller] = (since[caller] ?? 0) + 1
      }
    }
    const acting = Array.from({ length: CALLERS }, (_, caller) => act(caller))
    const failed = Promise.all(acting).then(
      () => undefined,
      (error: unknown) => String(error),
    )

    let from = performance.now()
    const made = new Map<string, number>()
    for (let round = 0; round < rounds(200); round++) {
      since.fill(0)
      // The next change waits until each player has acted at least twice under the current settings.
      await Promise.race([
        eventually(
          () => since,
          (counts) => counts.every((count) => count > 1),
        ),
        failed,
      ])
      const valid = new Set(settings.valid)
      const change = pick(CHANGES)
      eras.push({ from, to: performance.now(), valid })
      await settings.change(change)
      from = performance.now()
      made.set(change, (made.get(change) ?? 0) + 1)
      const recent = known.filter((proof) => proof !== BY_HEADER && !settings.valid.includes(proof)).slice(-REMEMBERED)
      known = [BY_HEADER, ...recent, ...settings.valid.filter((proof) => proof !== BY_HEADER)]
    }
    over = true
    expect(await failed).toBeUndefined()
    eras.push({ from, to: performance.now(), valid: new Set(settings.valid) })

    const judged = calls.flatMap((call) => {
      const era = eras.find(({ from, to }) => from <= call.from && call.to <= to)
      return era === undefined ? [] : [{ ...call, good: era.valid.has(call.proof) }]
    })
    const refused = judged.filter(({ taken }) => !taken).length
    console.log(
      `MATCHYARD_SEED=${seed}: ${JSON.stringify(Object.fromEntries(made))}, ${calls.length} calls, ${judged.length} between changes, ${refused} of them refused`,
    )
    const wrong = judged.filter(({ good, taken }) => good !== taken)
    expect(
      wrong.map(({ proof, node, good }) => `${proof.name} on ${node}, which is ${good ? 'good' : 'over'}`),
    ).toEqual([])
    expect(refused).toBeGreaterThan(rounds(200))
    expect(judged.length - refused).toBeGreaterThan(rounds(200))
  })
})
