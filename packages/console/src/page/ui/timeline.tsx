import type { ComponentChildren } from 'preact'
import { Shape } from './status'
import type { Tone } from './statuses'
import { Clock } from './text'

/** Event of a timeline. */
export interface Moment {
  readonly key: string
  readonly at: string
  readonly tone: Tone
  readonly title: ComponentChildren
  readonly detail?: ComponentChildren
}

/** List of events with their times. */
export function Timeline({ moments, label }: { readonly moments: readonly Moment[]; readonly label: string }) {
  return (
    <ol class="timeline" aria-label={label}>
      {moments.map(({ key, at, tone, title, detail }) => (
        <li key={key}>
          <Shape tone={tone} />
          <div>
            <div class="timeline-title">{title}</div>
            {detail !== undefined && <div class="quiet small">{detail}</div>}
          </div>
          <Clock at={at} />
        </li>
      ))}
    </ol>
  )
}
