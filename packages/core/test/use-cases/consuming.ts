import type { ConsumedMessage } from '@matchyard/core'
import { twoNodes } from './two-nodes'

/** Returns two nodes with a queue of duels, and functions that play matches and note the messages about them. */
export async function consuming() {
  const { clock, storage, matchyard, other, projectId, accountId } = await twoNodes()
  await matchyard.ratings.set({ projectId, ratingId: 'ranked', name: 'Ranked' })
  await matchyard.queues.create({
    ...{ projectId, queueId: 'duel', name: 'Duel', rating: 'ranked', concurrentMatches: true },
    matchmaking: { teams: 2, playersPerTeam: 1 },
  })
  let players = 0
  /** Makes a match of two new players, and runs the due jobs of the first node. Returns the id of the match. */
  const play = async () => {
    for (const playerId of [`p${players++}`, `p${players++}`]) {
      const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
      await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
    }
    await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    await matchyard.worker.runDueJobs()
    const { data } = await matchyard.matches.list({ projectId, status: 'running' })
    const id = data[0]?.match.id
    if (id === undefined) throw new Error('a match was made')
    return id
  }
  const report = (matchId: string, winner: number, amend = false) =>
    matchyard.matches.result({
      ...{ projectId, matchId, amend },
      teams: [1, 2].map((team) => ({ name: `team_${team}`, rank: team === winner ? 1 : 2 })),
    })
  const seen: ConsumedMessage[] = []
  const note = (message: ConsumedMessage) => void seen.push(message)
  const told = () => seen.map(({ type }) => type)
  const due = async () => (await storage.metrics(clock.now())).jobsDue.filter(({ kind }) => kind.startsWith('consume'))
  return { matchyard, other, clock, storage, projectId, accountId, play, report, seen, note, told, due }
}
