import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useLive } from '../../data/hooks'
import { href } from '../../data/route'
import { Card, counted, Empty, LiveView, number, Tabs, Text } from '../../ui'
import { now } from '../../ui/time'
import { hours, type Month, money, monthName } from './month'
import { type By, KEPT, type Share, sharesBy } from './shares'

const SHOWN = 30
const ROOM: Readonly<Record<By, string>> = { queue: 'queues', build: 'builds', server: 'servers' }

/** Card with the shares of a month's server time and cost, by queue, build or server. */
export function WhatRan({ month, cost }: { readonly month: Month; readonly cost: number }) {
  const by = useSignal<By>('queue')
  const [servers, matches] = [useLive('server'), useLive('match')]
  const turn = [servers.things.revision.value, matches.things.revision.value, Math.floor(now.value / 5_000)]
  const shares = useMemo(
    () => sharesBy(by.value, { servers: servers.things.all(), matches: matches.things.all(), month, now: now.value }),
    [...turn, by.value, month.id],
  )
  const isCut = servers.things.rows.value.length >= KEPT
  return (
    <Card
      title="Usage by"
      note={isCut ? `of the newest ${number(KEPT)} servers` : ''}
      actions={
        <Tabs
          label="Usage by"
          now={by.value}
          onChange={(value) => (by.value = value)}
          tabs={[
            { id: 'queue', label: 'Queue' },
            { id: 'build', label: 'Build' },
            { id: 'server', label: 'Server' },
          ]}
        />
      }
    >
      <LiveView of={servers} as="lines" empty={<Nothing month={month} />}>
        {() => (shares.length === 0 ? <Nothing month={month} /> : <Shares of={shares} by={by.value} cost={cost} />)}
      </LiveView>
    </Card>
  )
}

const Nothing = ({ month }: { readonly month: Month }) => (
  <Empty icon="usage" title={`No server ran in ${monthName(month)}`} />
)

function Shares({ of, by, cost }: { readonly of: readonly Share[]; readonly by: By; readonly cost: number }) {
  const shown = of.slice(0, SHOWN)
  const rest = of.slice(SHOWN)
  return (
    <div class="stack">
      <ul class="shares">
        {shown.map((one) => (
          <li key={one.key}>
            {one.id === undefined ? (
              <span class="quiet">{one.label}</span>
            ) : (
              <a href={href(ROOM[by], one.id)}>
                <Text>{one.label}</Text>
              </a>
            )}
            <span class="share-bar" role="img" aria-label={`${Math.round(one.share * 100)} %`}>
              <span style={{ width: `${(one.share * 100).toFixed(1)}%` }} />
            </span>
            <span class="figures end">
              {hours(one.ms)} h{cost > 0 && <span class="quiet"> about {money(cost * one.share)}</span>}
            </span>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <p class="quiet small">
          {counted(rest.length, `more ${by}`)}: {hours(rest.reduce((sum, { ms }) => sum + ms, 0))} h in total.
        </p>
      )}
      {cost > 0 && (
        <p class="quiet small">
          The service computes the cost of the project. The cost of each {by} is an estimate from run time and server
          size.
        </p>
      )}
    </div>
  )
}
