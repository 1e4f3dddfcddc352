import { startCluster } from '../src/many-nodes/cluster'
import { EventReader } from '../src/many-nodes/event-reader'
import { percentiles } from '../src/many-nodes/percentiles'

/**
 * Measures the time until a stream shows a change. Three `matchyard serve` processes share one PostgreSQL, and a stream
 * of one lobby is open on each. Calls change the lobby one after the other, each on the next node. The time starts when
 * the call is sent over HTTP, and is reported for the node that took the call and for the other nodes.
 */
const CHANGES = 2_000
const WARM_UP = 200

const cluster = await startCluster()
try {
  const queue = { queue_id: 'duel', name: 'Duel', max_players: 4 }
  await cluster.next().call({ method: 'POST', path: '/v1/queues', key: cluster.serverKey, body: queue })
  const create = { method: 'POST', path: '/v1/lobbies', player: 'ann', body: { queue_id: 'duel' } }
  const lobbyId = (await cluster.next().call<{ lobby_id: string }>(create)).body.lobby_id
  const readers = await Promise.all(
    cluster.nodes.map(({ baseUrl }) => EventReader.open({ baseUrl, key: cluster.clientKey, player: 'ann', lobbyId })),
  )
  await Promise.all(readers.map((reader) => reader.until(({ name }) => name === 'connected')))

  const [here, elsewhere, answer]: [number[], number[], number[]] = [[], [], []]
  for (let change = 0; change < WARM_UP + CHANGES; change++) {
    const sentAt = performance.now()
    const path = `/v1/lobbies/${lobbyId}/players/ann`
    await cluster.node(change).call({ method: 'PATCH', path, player: 'ann', body: { state: { change } } })
    const answeredAt = performance.now()
    const seen = await Promise.all(readers.map((reader) => reader.until(({ id }) => id === change + 2)))
    for (const reader of readers) reader.events.splice(0)
    if (change < WARM_UP) continue
    answer.push(answeredAt - sentAt)
    for (const [index, { at }] of seen.entries()) {
      const figures = index === change % readers.length ? here : elsewhere
      figures.push(at - sentAt)
    }
  }
  for (const reader of readers) reader.close()
  console.log(`ms after the call was sent, ${CHANGES.toLocaleString('en-US')} changes:`)
  console.log(`  its own answer                ${percentiles(answer)}`)
  console.log(`  seen on the node that took it ${percentiles(here)}`)
  console.log(`  seen on the other nodes       ${percentiles(elsewhere)}`)
} finally {
  await cluster.stop()
}
