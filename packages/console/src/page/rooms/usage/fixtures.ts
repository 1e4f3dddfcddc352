import { type Asked, before, type Fixtures } from '../../gallery/fixtures'

export const usageFixtures: Fixtures = {
  views: [{ name: 'usage', path: '/usage' }],
  answers: {
    'GET /v1/billing/usage': {
      period: '2026-03',
      total_cost: 7.65,
      credit_applied: 5,
      balance_due: 2.65,
      projects: [
        { project_id: 'prj_1', name: 'Starfall Arena', cost: 0.18 },
        { project_id: 'prj_2', name: 'Starfall Arena (staging)', cost: 7.47 },
      ],
    },
    'GET /v1/projects/*/budget': ({ isEmpty }: Asked) => ({
      ...{ monthly_usd: isEmpty ? null : 0.25, period: '2026-03', spent: 0.18, forecast: 0.31 },
    }),
    'GET /v1/billing/plan': {
      plan: 'pro',
      limits: {
        max_concurrent_servers: 20,
        max_tier: '8x-32g',
        max_server_ttl: -1,
        regions: Array.from({ length: 16 }, (_, n) => `r${n}`),
        max_builds: -1,
        queues_enabled: true,
        lobbies_enabled: true,
        matchmaking_enabled: true,
        payment_method_required: true,
      },
      current_period_start: '2026-03-01T00:00:00.000Z',
      current_period_end: '2026-04-01T00:00:00.000Z',
      pending_plan: null,
      payment_method: { type: 'card', brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2030 },
    },
    // Used only when no earlier section in the registry answers the same path.
    'GET /v1/servers': ['ranked', 'casual', 'race', 'ranked', 'casual', 'ranked'].map((queue, n) => ({
      instance_id: `srv_usage_${n}`,
      project_id: 'prj_1',
      name: `${queue}-${n}`,
      status: n < 3 ? 'running' : 'stopped',
      tier: n === 2 ? '2x-4g' : '1x-1g',
      region: 'fra',
      version_tag: queue === 'race' ? 'race-server' : 'arena-server',
      build_id: null,
      build_version: 13,
      network_ports: [],
      match_id: `mat_usage_${n}`,
      restarts: 0,
      created_at: before(4_000 * (n + 1)),
      running_at: before(4_000 * (n + 1)),
      stopped_at: n < 3 ? null : before(2_000 * n),
    })),
    'GET /v1/matches': ['ranked', 'casual', 'race', 'ranked', 'casual', 'ranked'].map((queue_id, n) => ({
      match_id: `mat_usage_${n}`,
      queue_id,
      version: 1,
      status: 'running',
      created_at: before(4_000 * (n + 1)),
    })),
  },
}
