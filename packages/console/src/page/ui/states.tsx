import { isMatchyardError } from '@matchyard/client'
import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { isPassing, type Loadable } from '../data/hooks'
import type { Live } from '../data/store'
import { Button } from './button'
import { Icon, type IconName } from './icons'
import { sentenceOf } from './toast'

/** Message for a view without content, and optionally an action. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
  readonly action?: ComponentChildren
}) {
  return (
    <div class="state">
      <span class="state-icon">
        <Icon name={icon} size={20} />
      </span>
      <h2>{title}</h2>
      {children !== undefined && <p class="quiet">{children}</p>}
      {action !== undefined && <div class="line">{action}</div>}
    </div>
  )
}

/** Shows a failed read with its reason, and optionally a retry button. */
export function Failed({
  error,
  again,
}: {
  readonly error: unknown
  readonly again?: (() => void) | (() => Promise<unknown>)
}) {
  const passing = isPassing(error)
  return (
    <div class="state" role="alert">
      <span class="state-icon bad">
        <Icon name="problems" size={20} />
      </span>
      <h2>{passing ? 'The service does not answer' : 'The data could not be loaded'}</h2>
      <p class="quiet">{passing ? 'The page retries every few seconds.' : sentenceOf(error).slice(0, 400)}</p>
      {isMatchyardError(error) && !passing && (
        <p class="quiet small mono">
          {error.code}
          {error.requestId !== '' && ` · ${error.requestId}`}
        </p>
      )}
      {again !== undefined && (
        <div class="line">
          <Button icon="again" onClick={again}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

const WIDTHS = ['72%', '54%', '86%', '40%', '64%']

/** Placeholder in the shape of the loading content: rows of a table, cards, or lines. */
export function Loading({
  as = 'rows',
  count = 8,
}: {
  readonly as?: 'rows' | 'cards' | 'lines'
  readonly count?: number
}) {
  return (
    <div class={`loading ${as}`} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <span
          key={index}
          style={as === 'cards' ? {} : { width: as === 'rows' ? '100%' : (WIDTHS[index % WIDTHS.length] ?? '60%') }}
        />
      ))}
    </div>
  )
}

/** Shows the result of a call: a placeholder while it loads, and the error when it fails. */
export function View<T>({
  of,
  as = 'lines',
  again,
  children,
}: {
  readonly of: ReadonlySignal<Loadable<T>>
  readonly as?: 'rows' | 'cards' | 'lines'
  readonly again?: () => Promise<unknown>
  readonly children: (data: T) => ComponentChildren
}) {
  const { value } = of
  if (value.is === 'loading') return <Loading as={as} />
  if (value.is === 'failed') return <Failed error={value.error} {...(again === undefined ? {} : { again })} />
  return <>{children(value.data)}</>
}

/**
 * Shows live entities once they have been read. Before that, shows a placeholder, or the error if the read failed
 * without any row.
 */
export function LiveView<T>({
  of,
  as = 'rows',
  empty,
  children,
}: {
  readonly of: Live<T>
  readonly as?: 'rows' | 'cards' | 'lines'
  readonly empty: ComponentChildren
  readonly children: () => ComponentChildren
}) {
  const { value } = of.reading
  const none = of.things.rows.value.length === 0
  if (value.is === 'reading') return <Loading as={as} />
  if (value.is === 'failed' && none) return <Failed error={value.error} again={of.again} />
  return <>{none ? empty : children()}</>
}
