import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { FeedState } from '../data/feed'
import { useProject } from '../data/hooks'
import { Icon } from './icons'
import { Status } from './status'
import { now } from './time'
import { ago } from './words'

interface PageProps {
  readonly title: ComponentChildren
  /** Beside the title: a status, a count. */
  readonly beside?: ComponentChildren
  /** One level up. */
  readonly back?: { readonly href: string; readonly label: string }
  /** When the view was last told something; those that follow the feed leave it out. */
  readonly heardAt?: ReadonlySignal<number | undefined>
  readonly actions?: ComponentChildren
  /** Under the title: search, tabs, filters. */
  readonly tools?: ComponentChildren
  /** Whether the content scrolls by itself: a table as high as the page. */
  readonly fill?: boolean
  readonly children: ComponentChildren
}

/** A view: its name, when it was last told something, what can be done, and what it shows. */
export function Page({ title, beside, back, heardAt, actions, tools, fill = false, children }: PageProps) {
  return (
    <main class={fill ? 'page fill' : 'page'} id="main" tabIndex={-1}>
      <header class="page-head">
        {back !== undefined && (
          <a class="back" href={back.href}>
            <Icon name="back" size={12} />
            {back.label}
          </a>
        )}
        <div class="page-title">
          <h1>{title}</h1>
          {beside}
          <span class="page-heard">{heardAt === undefined ? <HeardByFeed /> : <HeardAt at={heardAt} />}</span>
          {actions !== undefined && <div class="line page-actions">{actions}</div>}
        </div>
        {tools !== undefined && <div class="page-tools">{tools}</div>}
      </header>
      <div class="page-body">{children}</div>
    </main>
  )
}

const FEED: Readonly<Record<FeedState, readonly ['good' | 'wait' | 'bad' | 'still', string]>> = {
  quiet: ['still', 'Not live'],
  connecting: ['wait', 'Connecting'],
  live: ['good', 'Live'],
  away: ['still', 'Paused'],
  broken: ['bad', 'Reconnecting'],
}

function HeardByFeed() {
  const { store } = useProject()
  const [tone, word] = FEED[store.connection.value]
  return (
    <>
      <Status tone={tone}>{word}</Status>
      <HeardAt at={store.heardAt} />
    </>
  )
}

/** When something was heard last. */
export function HeardAt({ at }: { readonly at: ReadonlySignal<number | undefined> }) {
  const { value } = at
  return (
    <span class="quiet small figures">{value === undefined ? 'no data yet' : `updated ${ago(now.value - value)}`}</span>
  )
}
