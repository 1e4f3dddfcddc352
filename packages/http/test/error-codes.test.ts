import { ERROR_CATALOGUE } from '@matchyard/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ERROR_EXAMPLES } from '../src/error-pages/examples'
import { HTTP_ERRORS } from '../src/index'
import { ANSWERED, refusedWith, UNANSWERED } from './examples/refusals'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

let service: Service
let studio: Studio

beforeAll(async () => {
  service = await startService()
  studio = await openStudio(service)
  await makeQueue(service, studio)
})

const player = (name: string, body?: unknown) => ({
  key: studio.client,
  player: name,
  ...(body === undefined ? {} : { body }),
})
const lobby = async (name = 'ann', fields = {}) =>
  `/v1/lobbies/${(await makeLobby(service, studio, name, fields)).lobby_id}`
const rule = (fields: Record<string, unknown>) => ({ teams: 2, players_per_team: 1, rules: [fields] })

describe('every error code is met over HTTP, with its own row', () => {
  const shown = JSON.parse(ERROR_EXAMPLES)

  test.each(ANSWERED)('%s', async (code) => {
    const {
      answer: { status, headers, body },
      example,
    } = await refusedWith(code)
    const row = HTTP_ERRORS[code]
    expect(body).toMatchObject({
      code,
      number: row.number,
      title: row.title,
      status: row.status,
      type: `/errors/${code}`,
    })
    expect(status).toBe(row.status)
    expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'code', 'number', 'detail', 'request_id', 'details'])
    expect(body.request_id).toBe(headers.get('x-request-id'))
    expect(body.detail.length).toBeGreaterThan(10)
    expect(shown[code], 'src/error-pages/examples.ts is out of date: run `npm run generate`').toEqual(
      JSON.parse(JSON.stringify(example)),
    )
  })

  test('none is forgotten', () => {
    expect([...Object.keys(shown), ...UNANSWERED].sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort())
  })
})

describe('details that clients need', () => {
  test('of a party that cannot match: the rule, its field, the values and the bound', async () => {
    const matchmaking = rule({ type: 'min', field: 'level', value: 10 })
    await makeQueue(service, studio, { queue_id: 'grown', matchmaking })
    const path = await lobby('ann', { queue_id: 'grown', state: { level: 9 } })
    const { body } = await service.call(`POST ${path}/queue`, player('ann'))
    expect([body.code, body.details]).toEqual([
      'PARTY_CANNOT_MATCH',
      { rule: 'min', field: 'level', values: [9], bound: 10 },
    ])
  })

  test('issues name fields as the wire spells them', async () => {
    const issues = async (fields: object) => {
      const body = { queue_id: 'q', name: 'Q', ...fields }
      const answer = await service.call('POST /v1/queues', { key: studio.server, body })
      return (answer.body.details?.issues ?? []).map(({ path }: { path: string }) => path)
    }
    expect(await issues({ matchmaking: { teams: 2, min_teams: 3 } })).toEqual(['matchmaking.min_teams'])
    expect(await issues({ matchmaking: { max_size_difference: -1 } })).toEqual(['matchmaking.max_size_difference'])
    expect(await issues({ matchmaking: { max_size_difference: 0, team_composition: { red: { tank: 1 } } } })).toEqual([
      'matchmaking.max_size_difference',
    ])
    expect(await issues({ matchmaking: { team_composition: { RedTeam: { MainTank: 0 } } } })).toEqual([
      'matchmaking.team_composition.RedTeam.MainTank',
    ])
    const ports = [
      { name: 'a b', protocol: 'udp', internal_port: 1 },
      { name: 'a-b', protocol: 'udp', internal_port: 2, tls_enabled: true },
    ]
    expect(await issues({ server_settings: { network_ports: ports } })).toEqual([
      'server_settings.network_ports.1.name',
      'server_settings.network_ports.1.tls_enabled',
    ])
    expect(await issues({ server_settings: { startup_args: '"unclosed' } })).toEqual(['server_settings.startup_args'])
    const rules = [
      { type: 'difference', field: 'mmr', max_difference: 10, expansions: [{ after_seconds: 5, max_difference: 1 }] },
    ]
    expect(await issues({ matchmaking: { rules } })).toEqual(['matchmaking.rules.0.expansions.0'])
    expect(await issues({ timeout: 0, lobby_ttl: 0, heartbeat_timeout: 0 })).toEqual([
      'timeout',
      'heartbeat_timeout',
      'lobby_ttl',
    ])
    const host = [{ name: 'a', protocol: 'udp', internal_port: 1, host: 'h', external_port: 2 }]
    expect(await issues({ server_settings: { network_ports: host } })).toEqual([
      'server_settings.network_ports.0.host',
      'server_settings.network_ports.0.external_port',
    ])
  })
})
