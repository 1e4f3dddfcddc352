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
  /** Content beside the title: a status, a count. */
  readonly beside?: ComponentChildren
  /** Link to the parent view. */
  readonly back?: { readonly href: string; readonly label: string }
  /**
   * Time of the view's last data, in milliseconds since 1970. Views that the feed updates leave it out; they show the
   * state of the feed.
   */
  readonly heardAt?: ReadonlySignal<number | undefined>
  readonly actions?: ComponentChildren
  /** Content under the title: search, tabs, filters. */
  readonly tools?: ComponentChildren
  /** Whether the content fills the page and scrolls by itself, as a table does. */
  readonly fill?: boolean
  readonly children: ComponentChildren
}

/** Frame of a view: the title, the time of its last data, its actions and its content. */
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

/** Time since the last data, as text. */
export function HeardAt({ at }: { readonly at: ReadonlySignal<number | undefined> }) {
  const { value } = at
  return (
    <span class="quiet small figures">{value === undefined ? 'no data yet' : `updated ${ago(now.value - value)}`}</span>
  )
}
