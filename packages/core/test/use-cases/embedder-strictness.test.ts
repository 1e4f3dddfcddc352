import { createMatchyard, type MatchyardOptions, ServiceError } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { service } from './service'

/** The call passes any options, as JavaScript code without type checks does. */
const create = (options: object) => () => createMatchyard(options as MatchyardOptions)
const whole = () => ({ storage: memoryStorage(), ...fakePlatform() })

describe('createMatchyard', () => {
  it.each([
    [{ lanchTimeoutMs: 1 }, 'createMatchyard: there is no option "lanchTimeoutMs"; did you mean launchTimeoutMs?'],
    [{ launchTimeout: 1 }, 'createMatchyard: there is no option "launchTimeout"; did you mean launchTimeoutMs?'],
    [{ node_id: 'a' }, 'createMatchyard: there is no option "node_id"; did you mean nodeId?'],
    [{ streams: { maxStreem: 1 } }, 'createMatchyard, streams: there is no option "maxStreem"'],
  ])('refuses %j with the nearest name', (more, message) => {
    expect(create({ ...whole(), ...more })).toThrow(message)
  })

  it.each(['storage', 'clock', 'timers', 'ids', 'random', 'tokens', 'passwords'])(
    'names a missing port: %s',
    (port) => {
      for (const none of [undefined, null]) {
        expect(create({ ...whole(), [port]: none })).toThrow(`createMatchyard: the port ${port} is missing`)
      }
    },
  )

  it('takes an option without a value as left out', () => {
    expect(create({ ...whole(), orchestrator: undefined, whatever: undefined })).not.toThrow()
  })
})

describe('a setting that nobody knows', () => {
  const refused = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof ServiceError)) throw new Error(`not refused: ${String(error)}`)
    return [error.code, error.detail]
  }

  it('is refused with the nearest name, in queues, lobbies and servers alike', async () => {
    const { matchyard, projectId } = await service()
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    const update = (changes: object) => refused(matchyard.queues.update({ projectId, queueId: 'duel', changes }))
    const code = 'VALIDATION_FAILED'
    expect(await update({ heartbeatTimeout: 5 })).toEqual([
      code,
      'heartbeatTimeout: is not a known field; did you mean heartbeatTimeoutSeconds?',
    ])
    expect(await update({ matchmaking: { playerPerTeam: 2 } })).toEqual([
      code,
      'matchmaking.playerPerTeam: is not a known field; did you mean playersPerTeam?',
    ])
    // The library's names differ from those of the HTTP interface, and so do the hints.
    const rule = { type: 'difference', field: 'mmr', maxDifference: 10 }
    expect(await update({ matchmaking: { rules: [{ ...rule, max_difference: 5 }] } })).toEqual([
      code,
      'matchmaking.rules.0.max_difference: is not a known field; did you mean maxDifference?',
    ])
    expect(
      await update({ matchmaking: { rules: [{ ...rule, expansions: [{ afterSeconds: 5, off: true, after: 9 }] }] } }),
    ).toEqual([
      code,
      'matchmaking.rules.0.expansions.0.after: is not a known field; did you mean afterSeconds? (and 1 more)',
    ])
    expect(await update({ matchmaking: { readyCheck: { timeoutSeconds: 5, timeout: 5 } } })).toEqual([
      code,
      'matchmaking.readyCheck.timeout: is not a known field; did you mean timeoutSeconds?',
    ])
    expect(await update({ serverSettings: { version_tag: 'arena' } })).toEqual([
      code,
      'serverSettings.version_tag: is not a known field; did you mean versionTag?',
    ])
    expect(await update({ id: 'other' })).toEqual([code, expect.stringMatching(/^id: is not a known field/)])
    const ports = [{ name: 'game', protocol: 'udp', internalPort: 1, tlsEnabled: false, externalPort: 7 }]
    expect(await update({ serverSettings: { networkPorts: ports } })).toEqual([
      code,
      'serverSettings.networkPorts.0.externalPort: is not a known field; did you mean internalPort?',
    ])
    const lobby = { projectId, queueId: 'duel', playerId: 'ann', privat: true }
    expect(await refused(matchyard.lobbies.create(lobby))).toEqual([
      code,
      'privat: is not a known field; did you mean isPrivate?',
    ])
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    const changes: object = { maxPlayer: 3 }
    expect(await refused(matchyard.lobbies.updateSettings({ projectId, lobbyId, playerId: 'ann', changes }))).toEqual([
      code,
      'maxPlayer: is not a known field; did you mean maxPlayers?',
    ])
    const server = { projectId, versionTag: 'arena', ttl: 60 }
    expect(await refused(matchyard.servers.create(server))).toEqual([
      code,
      'ttl: is not a known field; did you mean ttlSeconds?',
    ])
  })
})

describe('a field that nobody knows', async () => {
  const { matchyard, projectId } = await service()
  const lobby = { projectId, lobbyId: 'lob_none', playerId: 'ann' }
  it.each<[string, () => Promise<unknown>, string]>([
    [
      'quickJoin',
      () => matchyard.lobbies.quickJoin(as({ projectId, queueId: 'duel', playerId: 'ann', filtr: {} })),
      'filtr: is not a known field; did you mean filter?',
    ],
    [
      'join',
      () => matchyard.lobbies.join(as({ ...lobby, stat: {} })),
      'stat: is not a known field; did you mean state?',
    ],
    ['accept', () => matchyard.lobbies.accept(as({ ...lobby, backend: true })), 'backend: is not a known field'],
    [
      'browse',
      () => matchyard.lobbies.browse(as({ projectId, backend: true, setings: {} })),
      'setings: is not a known field; did you mean settings?',
    ],
    [
      'end',
      () => matchyard.lobbies.end(as({ ...lobby, backnd: true })),
      'backnd: is not a known field; did you mean backend?',
    ],
    [
      'assign',
      () => matchyard.matches.assign(as({ projectId, matchId: 'mat_none', host: 'a', ports: [], customdata: {} })),
      'customdata: is not a known field; did you mean customData?',
    ],
    [
      'ensure',
      () => matchyard.projects.ensure(as({ name: 'a', mail: 'x' })),
      'mail: is not a known field; did you mean email?',
    ],
    [
      'servers.list',
      () => matchyard.servers.list(as({ projectId, stauts: 'running' })),
      'stauts: is not a known field; did you mean status?',
    ],
    [
      'accounts.create',
      () => matchyard.accounts.create(as({ email: 'a@b.example', password: 'correct horse', name: 'A', paln: 'free' })),
      'paln: is not a known field; did you mean plan?',
    ],
    [
      'its project',
      () =>
        matchyard.accounts.create(
          as({ email: 'a@b.example', password: 'correct horse', name: 'A', project: { name: 'A', queu: {} } }),
        ),
      'project.queu: is not a known field; did you mean queue?',
    ],
    [
      'options',
      () => matchyard.lobbies.join(lobby, as({ idempotencyKey: 'x' })),
      'idempotencyKey: is not a known field; did you mean idempotency?',
    ],
  ])('is refused where a call may be made without the one that was meant: %s', async (_, call, message) => {
    await expect(call()).rejects.toThrow(message)
    await expect(call()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('and so is a number that no setting can be', async () => {
    const filter = { level: Number.POSITIVE_INFINITY }
    const message = 'VALIDATION_FAILED: filter: "level" must be a finite number'
    const join = { projectId, queueId: 'duel', playerId: 'ann', filter }
    await expect(matchyard.lobbies.quickJoin(join)).rejects.toThrow(message)
    const browse = { projectId, backend: true, settings: filter }
    await expect(matchyard.lobbies.browse(browse)).rejects.toThrow(message.replace('filter', 'settings'))
  })

  it('and so is a kind of key that there is not', async () => {
    const { accountId } = await matchyard.projects.ensure({ name: 'arena' })
    const key = { accountId, projectId, type: 'clinet' }
    await expect(matchyard.keys.mint(as(key))).rejects.toThrow('VALIDATION_FAILED: type: must be one of client, server')
  })
})

/** Returns a value of any type, as JavaScript code passes it. */
const as = (value: object) => value as never

describe('a queue whose build is not ready', () => {
  it('is taken, and says so until there is one', async () => {
    const { matchyard, projectId } = await service()
    const queue = { projectId, queueId: 'duel', name: 'Duel', serverSettings: { versionTag: 'boat' } }
    const made = await matchyard.queues.create(queue)
    expect(made.warnings).toEqual([expect.stringContaining('no build named boat is ready')])
    expect((await matchyard.queues.get({ projectId, queueId: 'duel' })).warnings).toHaveLength(1)
    expect((await matchyard.queues.list({ projectId })).data[0]?.warnings).toHaveLength(1)
    await matchyard.builds.registerImage({ projectId, name: 'boat', imageUrl: 'games/boat:1' })
    await matchyard.worker.runDueJobs()
    expect(await matchyard.queues.get({ projectId, queueId: 'duel' })).not.toHaveProperty('warnings')
    const changes = { serverSettings: { versionTag: 'ship' } }
    const changed = await matchyard.queues.update({ projectId, queueId: 'duel', changes })
    expect(changed.warnings).toEqual([expect.stringContaining('no build named ship is ready')])
  })
})

describe('a player id', () => {
  it.each(['', 'x'.repeat(129), 'a\nb', '\u0000'])('%j is refused of code as on the wire', async (playerId) => {
    const { matchyard, projectId } = await service()
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    const { id: lobbyId, inviteCode } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    const calls = [
      () => matchyard.lobbies.create({ projectId, queueId: 'duel', playerId }),
      () => matchyard.lobbies.join({ projectId, lobbyId, playerId }),
      () => matchyard.lobbies.joinByCode({ projectId, inviteCode: inviteCode ?? '', playerId }),
      () => matchyard.lobbies.quickJoin({ projectId, queueId: 'duel', playerId }),
    ]
    for (const call of calls) await expect((async () => call())()).rejects.toMatchObject({ code: 'INVALID_PLAYER_ID' })
  })

  it('of the longest kind is found, and erased', async () => {
    const { matchyard, projectId } = await service()
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    const playerId = '"'.repeat(128)
    await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
    expect((await matchyard.lobbies.ofPlayer({ projectId, playerId })).total).toBe(1)
    await matchyard.players.erase({ projectId, playerId })
    while ((await matchyard.worker.runDueJobs()) > 0);
    expect((await matchyard.lobbies.ofPlayer({ projectId, playerId })).total).toBe(0)
  })
})
