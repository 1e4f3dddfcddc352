import { beforeEach, describe, expect, it } from 'vitest'
import { type Service, service } from './service'

let given: Service
let projectId: string
let lobbyId: string

beforeEach(async () => {
  given = await service()
  projectId = given.projectId
  await given.matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', maxPlayers: 20 })
  lobbyId = (await given.matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })).id
})

const on = (playerId = 'ann') => ({ projectId, lobbyId, playerId, backend: false })
const ban = (targetPlayerId: string, id = lobbyId) =>
  given.matchyard.lobbies.banPlayer({ projectId, lobbyId: id, backend: true, targetPlayerId })
const read = () => given.matchyard.lobbies.get({ ...on(), backend: true })
const settle = async () => {
  while ((await given.matchyard.worker.runDueJobs()) > 0);
}

describe('quick joins', () => {
  it('pass over a lobby that bars the player, and seat the others of the same turn there', async () => {
    await ban('bob')
    const come = (playerId: string) => given.matchyard.lobbies.quickJoin({ projectId, queueId: 'duel', playerId })
    const [bob, cat, dan] = await Promise.all(['bob', 'cat', 'dan'].map(come))
    expect([cat?.lobby.id, dan?.lobby.id]).toEqual([lobbyId, lobbyId])
    expect(bob).toMatchObject({ made: true, lobby: { hostPlayerId: 'bob' } })
    for (const id of [lobbyId, bob?.lobby.id]) await ban('eve', id)
    const none = given.matchyard.lobbies.quickJoin({ projectId, queueId: 'duel', playerId: 'eve', create: false })
    await expect(none).rejects.toMatchObject({ code: 'LOBBY_NOT_FOUND' })
  })
})

describe('a kick', () => {
  it('bars nobody', async () => {
    const { lobbies } = given.matchyard
    await lobbies.join(on('bob'))
    await lobbies.removePlayer({ ...on(), targetPlayerId: 'bob' })
    expect(await lobbies.join(on('bob'))).toMatchObject({
      banned: [],
      players: [{ playerId: 'ann' }, { playerId: 'bob' }],
    })
  })
})

describe('a ban', () => {
  it('changes no version where the player is banned already', async () => {
    const first = await ban('bob')
    expect(await ban('bob')).toEqual(first)
    expect((await read()).version).toBe(first.version)
  })

  it('by a backend, too, is refused where the lobby would be too large', async () => {
    const { lobbies } = given.matchyard
    const state = { text: 'x'.repeat(16_000) }
    for (let n = 0; n < 15; n++) await lobbies.join({ ...on(`player ${n}`), state })
    const bans = async () => {
      for (let n = 0; n < 100; n++) {
        const targetPlayerId = `${'\u{1f600}'.repeat(120)}${n}`
        await lobbies.banPlayer({ projectId, lobbyId, backend: true, targetPlayerId })
      }
    }
    await expect(bans()).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  it('is forgotten of a player who is erased, in lobbies and in what is told to webhooks', async () => {
    const { matchyard, data } = given
    await matchyard.webhooks.create({ projectId, url: 'https://games.example/', types: ['lobby.deleted'] })
    const gone = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'dan' })
    for (const id of [lobbyId, gone.id]) await ban('bob', id)
    await ban('cat')
    await matchyard.lobbies.delete({ projectId, lobbyId: gone.id, backend: true })
    await matchyard.players.erase({ projectId, playerId: 'bob' })
    await settle()
    expect(await read()).toMatchObject({ banned: ['cat'] })
    given.clock.advance(2 * 3_600_000)
    await settle()
    const kept = [...data.entities.values()].flatMap((rows) => [...rows.values()].map(({ text }) => text))
    for (const text of kept) expect(text).not.toContain('"bob"')
  })
})

describe('a new invite code', () => {
  it('takes the place of the old one, which joins nobody and is held back for ten minutes', async () => {
    const { lobbies } = given.matchyard
    const { inviteCode: old } = await read()
    await expect(lobbies.renewInviteCode(on('bob'))).rejects.toMatchObject({ code: 'NOT_HOST' })
    const { inviteCode } = await lobbies.renewInviteCode(on())
    expect(inviteCode).not.toBe(old)
    const join = (code: string | null) =>
      lobbies.joinByCode({ projectId, playerId: 'bob', inviteCode: code ?? '' }).then(({ id }) => id)
    await expect(join(old)).rejects.toMatchObject({ code: 'INVALID_INVITE_CODE' })
    expect(await join(inviteCode)).toBe(lobbyId)
    expect([...(given.data.entities.get('invite-hold')?.keys() ?? [])]).toEqual([`${lobbyId}/${old}`])
  })

  it('is drawn where the queue has codes only', async () => {
    const inviteCodeConfig = { enabled: false }
    await given.matchyard.queues.update({ projectId, queueId: 'duel', changes: { inviteCodeConfig } })
    await expect(given.matchyard.lobbies.renewInviteCode(on())).rejects.toMatchObject({ code: 'INVALID_LOBBY_STATE' })
  })
})
