import { isMatchyardError } from '@matchyard/client'
import { signal } from '@preact/signals'
import { Icon } from './icons'
import { Shape } from './status'
import type { Tone } from './statuses'

interface Told {
  readonly id: number
  readonly tone: Tone
  readonly sentence: string
}

const SHOWN_MS = 6_000
const all = signal<readonly Told[]>([])
let next = 0

/** Shows a notice about a completed action. */
export const say = (sentence: string): void => tell('good', sentence)

/** Shows the sentence of an error. */
export const failed = (error: unknown): void => tell('bad', sentenceOf(error))

/** Returns the sentence of an error: the service's `detail`, or otherwise the error's code or message. */
export function sentenceOf(error: unknown): string {
  if (isMatchyardError(error)) return error.detail || error.code
  return error instanceof Error ? error.message : String(error)
}

function tell(tone: Tone, sentence: string): void {
  const id = next++
  all.value = [...all.value.slice(-3), { id, tone, sentence }]
  setTimeout(() => dismiss(id), SHOWN_MS)
}

function dismiss(id: number): void {
  all.value = all.value.filter((one) => one.id !== id)
}

/** Shows the notices, at most four, each for six seconds; rendered once in the page. */
export function Toasts() {
  return (
    <output class="toasts">
      {all.value.map(({ id, tone, sentence }) => (
        <div key={id} class="toast">
          <Shape tone={tone} />
          <p>{sentence.slice(0, 400)}</p>
          <button type="button" class="copy" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="cross" size={14} />
          </button>
        </div>
      ))}
    </output>
  )
}
