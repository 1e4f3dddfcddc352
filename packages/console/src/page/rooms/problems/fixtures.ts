import { type Asked, before, type Fixtures } from '../../gallery/fixtures'
import { SERVERS } from '../../gallery/samples'

const CRASHED = SERVERS.find(({ status }) => status === 'failed')?.instance_id

const problem = (
  code: string,
  severity: string,
  sentence: string,
  kind: string,
  id: string,
  seconds: number,
  details: object = {},
) => ({
  id: `prb_${code}_${id}`,
  code,
  severity,
  sentence,
  subject: { kind, id },
  opened_at: before(seconds),
  acknowledged: null as unknown,
  muted: null as unknown,
  since: before(seconds),
  count: 1,
  details,
})

const PROBLEMS = [
  problem(
    'launches_failed',
    'error',
    'race: 3 launches failed in the last hour: no build named arenaa is ready. Upload a build with this name, or correct server_settings.version_tag of the queue.',
    'queue',
    'race',
    1_900,
    { version_tag: 'arenaa' },
  ),
  problem(
    'servers_crashed',
    'error',
    `ranked: 27 of the last 50 matches of arena v13 crashed, the first at 2026-03-14T14:44:00.000Z: exited with code 1. Read the log of ${CRASHED}.`,
    'queue',
    'ranked',
    900,
    {
      version_tag: 'arena',
      build_id: 'bld_arena_13',
      build_version: 13,
      instance_ids: [CRASHED],
      wave: { crashed: 27, ended: 50, is_of_matches: true, first_at: before(1_526), trend: 'rising' },
    },
  ),
  problem(
    'webhook_disabled',
    'error',
    'https://old.starfall.example/notify: the webhook was disabled and receives no more messages: all deliveries failed for five days. Correct its URL and enable it again, or delete it.',
    'webhook',
    'whk_2',
    86_400 * 2,
  ),
  problem(
    'players_wait',
    'warning',
    'ranked: 12 players wait longer than 60 s; `mmr` rejects 91 % of the pairs. Widen the difference rule, or relax it sooner.',
    'queue',
    'ranked',
    140,
  ),
  problem(
    'waiting_for_room',
    'warning',
    'race: 2 servers wait for capacity: no machine serves ams (fra-1 serves fra; ams-1 is lost). Add a machine with ams in REGIONS, or set REGION_FALLBACK=any.',
    'queue',
    'race',
    48,
    { region: 'ams' },
  ),
  problem(
    'machine_paused',
    'warning',
    'fra-3: launches on the machine failed, so it gets no new servers until 2026-03-14T15:11:00.000Z; 4 servers of this project ran on it. Other machines start the servers meanwhile; the operator finds the cause with matchyard machines show.',
    'node',
    'fra-3',
    30,
  ),
  problem(
    'budget_near',
    'warning',
    "starfall: $0.18 of $0.25 of March are spent; at the mean rate since yesterday, $0.31 by the month's end. A budget stops no servers. Stop servers, or raise the budget.",
    'project',
    'prj_1',
    2_400,
    { budget: { monthly_usd: 0.25, spent: 0.18, forecast: 0.31 } },
  ),
  problem(
    'plan_limit_near',
    'warning',
    'account: 17 of 20 servers are running. Stop a server, or raise the limit with a higher plan.',
    'account',
    'acc_1',
    3,
  ),
]

const BY = { kind: 'session', id: 'acc_1', name: 'Ann' }

/** Problems of the gallery: one is acknowledged, and one is muted. */
const LISTED = PROBLEMS.map((one) => ({
  ...one,
  ...(one.code === 'servers_crashed' && {
    acknowledged: { by: BY, at: before(420), note: 'Rolling back to v12; the crash is in the new map loader.' },
  }),
  ...(one.code === 'plan_limit_near' && {
    muted: { by: BY, until: before(-3_600 * 8), reason: 'Bigger plan from Monday on' },
  }),
}))

export const problemsFixtures: Fixtures = {
  views: [{ name: 'problems', path: '/problems' }],
  answers: {
    'GET /v1/problems': ({ isEmpty }: Asked) => ({ problems: isEmpty ? [] : LISTED }),
  },
}
