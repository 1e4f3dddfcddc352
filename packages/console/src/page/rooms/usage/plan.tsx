import { useLive, useProject, useRead } from '../../data/hooks'
import { hasAllRegions } from '../../data/regions'
import { Card, Facts, Meter, number, span, Text, View } from '../../ui'
import { now } from '../../ui/time'

interface PlanStatus {
  readonly plan: string
  readonly tariff?: string
  readonly limits: {
    readonly max_concurrent_servers: number
    readonly max_tier: string
    readonly max_server_ttl: number
    readonly regions: readonly string[]
    readonly max_builds: number
    readonly queues_enabled: boolean
    readonly lobbies_enabled: boolean
    readonly matchmaking_enabled: boolean
  }
  readonly current_period_end: string
  readonly pending_plan: string | null
  readonly payment_method: {
    readonly brand: string
    readonly last4: string
    readonly exp_month: number
    readonly exp_year: number
  } | null
}

const MINUTE = 60_000
const UNLIMITED = -1
const PLANS: Readonly<Record<string, string>> = { free: 'Free', payg: 'Pay as you go', pro: 'Pro' }
const named = (plan: string) => PLANS[plan] ?? plan

/** Cards with the plan, its limits, and the use of these limits by this project. */
export function PlanCard() {
  const { session } = useProject()
  const read = useRead(() => session.wire.get<PlanStatus>('/v1/billing/plan'), [session], { every: MINUTE })
  return (
    <View of={read.now} as="cards" again={read.again}>
      {(status) => (
        <div class="columns">
          <Card title="Limits" note="limits of the account, usage of this project">
            <Limits of={status} />
          </Card>
          <Card title="Plan">
            <About of={status} />
          </Card>
        </div>
      )}
    </View>
  )
}

function Limits({ of: { limits } }: { readonly of: PlanStatus }) {
  const { store } = useProject()
  useLive('server')
  useLive('build')
  const live = store.count('server', ({ status }) => status !== 'stopped' && status !== 'failed')
  const builds = store.count('build', ({ status }) => status !== 'failed' && status !== 'deleted')
  return (
    <div class="stack">
      <Limit label="Concurrent servers" used={live.value} most={limits.max_concurrent_servers} />
      <Limit label="Builds" used={builds.value} most={limits.max_builds} />
      <Facts
        of={[
          ['Largest server size', limits.max_tier],
          ['Server time limit', limits.max_server_ttl === UNLIMITED ? 'no limit' : span(limits.max_server_ttl)],
          ['Regions', hasAllRegions(limits.regions) ? 'all' : limits.regions.join(', ')],
          ['Queues', limits.queues_enabled ? 'included' : 'not included'],
          ['Lobbies', limits.lobbies_enabled ? 'included' : 'not included'],
          ['Matchmaking', limits.matchmaking_enabled ? 'included' : 'not included'],
        ]}
      />
    </div>
  )
}

function Limit({ label, used, most }: { readonly label: string; readonly used: number; readonly most: number }) {
  const isBound = most !== UNLIMITED
  return (
    <div class="stack tight">
      <div class="line apart">
        <span>{label}</span>
        <span class="figures">
          {number(used)} <span class="quiet">{isBound ? `of ${number(most)}` : '(no limit)'}</span>
        </span>
      </div>
      {isBound && <Meter value={used} most={most} label={`${label}: ${used} of ${most}`} />}
    </div>
  )
}

function About({ of: status }: { readonly of: PlanStatus }) {
  const { payment_method: card } = status
  const days = Math.max(0, Math.ceil((Date.parse(status.current_period_end) - now.value) / 86_400_000))
  return (
    <div class="stack">
      {status.tariff === 'self_hosted' && (
        <div class="notice">The operator of the service created this account. The account is not charged.</div>
      )}
      <Facts
        of={[
          ['Plan', status.tariff === 'self_hosted' ? 'Self-hosted' : named(status.plan)],
          ...(status.pending_plan === null ? [] : ([['From next month', named(status.pending_plan)]] as const)),
          ['Month ends in', days === 1 ? '1 day' : `${days} days`],
          [
            'Payment card',
            card === null ? (
              'none'
            ) : (
              <Text key="card">{`${card.brand} …${card.last4}, expires ${card.exp_month}/${card.exp_year}`}</Text>
            ),
          ],
        ]}
      />
    </div>
  )
}
