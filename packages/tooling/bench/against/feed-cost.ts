import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { HarmWorld } from '../harm/world'
import { processorSeconds } from '../soak/figures'
import { OWN_ROOT, otherSide, type Side } from './side'
import { compared, PAIRS, sentenceOf } from './statistics'

/**
 * `npm run bench -- feed-cost <commit>`: compares the cost of a lobby's creation in this checkout, built, with another
 * commit that has no feed. It is measured without readers, and with two readers that follow the project's feed. Both
 * sides run in turn, eleven times; the cost is the CPU time of the whole service.
 */
const [commit] = process.argv.slice(2)
if (commit === undefined) throw new Error('against which commit? npm run bench -- feed-cost <commit>')

const CALLERS = 20
const WARM_UP = 300
const LOBBIES = 800
const READERS = 2

const old = otherSide(commit)
const own: Side = { name: 'this checkout', root: OWN_ROOT }

interface Costs {
  readonly alone: number
  readonly followed: number
}

async function measure({ root }: Side): Promise<Costs> {
  const world = await HarmWorld.start({ command: join(root, 'packages/server/dist/cli.js') })
  try {
    const { client_key, server_key } = world.credentials
    const [backend, client] = [world.client(server_key), world.client(client_key)]
    await backend.call({ method: 'POST', path: '/v1/queues', body: { queue_id: 'cost', name: 'Cost' } })
    let players = 0
    const make = async () => {
      const body = { queue_id: 'cost', state: { mmr: 1 }, settings: { map: 'desert', rounds: 5 } }
      const { status } = await client.call({ method: 'POST', path: '/v1/lobbies', player: `p${players++}`, body })
      if (status !== 201) throw new Error(`a lobby was refused with ${status}`)
    }
    await spend(world, WARM_UP, make)
    const alone = await spend(world, LOBBIES, make)
    const readers = Array.from({ length: READERS }, () => follow(world, server_key))
    await wait(500)
    const followed = await spend(world, LOBBIES, make)
    for (const close of readers) close()
    backend.close()
    client.close()
    return { alone, followed }
  } finally {
    await world.stop()
  }
}

async function spend(world: HarmWorld, calls: number, call: () => Promise<void>): Promise<number> {
  const before = processorSeconds(world)
  let left = calls
  const caller = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return processorSeconds(world) - before
}

/** Opens the feed and reads all that it sends. The other side has no feed and answers with an error. */
function follow({ baseUrl }: HarmWorld, key: string): () => void {
  const sent = request(new URL('/v1/events', baseUrl), { headers: { 'api-key': key }, agent: false })
  sent.on('response', (body) => body.on('error', () => {}).resume())
  sent.on('error', () => {})
  sent.end()
  return () => sent.destroy()
}

const ratios: { readonly alone: number[]; readonly followed: number[] } = { alone: [], followed: [] }
for (let pair = 0; pair < PAIRS; pair++) {
  const [first, second] = pair % 2 === 0 ? [old, own] : [own, old]
  const [a, b] = [await measure(first), await measure(second)]
  const [before, after] = first === old ? [a, b] : [b, a]
  ratios.alone.push(after.alone / before.alone)
  ratios.followed.push(after.followed / before.followed)
  process.stderr.write('.')
}
process.stderr.write('\n')
console.log(
  `making a lobby, new divided by old (${old.name}), processor time, median of ${PAIRS} pairs and its interval of 98.8 %`,
)
console.log(`${'nobody follows'.padEnd(24)} ${sentenceOf(compared(ratios.alone))}`)
console.log(`${`${READERS} follow the feed`.padEnd(24)} ${sentenceOf(compared(ratios.followed))}`)
process.exit()
