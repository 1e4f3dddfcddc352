import { STATUSES, type Tone } from './statuses'

/** Shapes of the tones. Each tone has its own shape, so that it can be recognised without colours. */
const SHAPES: Readonly<Record<Tone, string>> = {
  good: 'M6 1.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9Z',
  wait: 'M6 1.500a4.500 4.500 0 0 1 0 9Z M6 2.200a3.800 3.800 0 1 0 0 7.600',
  bad: 'M6 1 11.500 10.500h-11Z',
  info: 'M6 .800 11.200 6 6 11.200.800 6Z',
  still: 'M1.500 5h9v2h-9z',
}

/** Status: the shape and colour of a tone, and a word. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span class={`status ${tone}`}>
      <Shape tone={tone} />
      {children}
    </span>
  )
}

/** Status of an entity of the service, with the console's label. */
export function StatusOf<K extends keyof typeof STATUSES>({
  kind,
  is,
}: {
  readonly kind: K
  readonly is: keyof (typeof STATUSES)[K] & string
}) {
  const known = (STATUSES[kind] as Readonly<Record<string, readonly [Tone, string]>>)[is]
  // A newer service may have a status that this page does not know.
  const [tone, word] = known ?? (['still', is] as const)
  return <Status tone={tone}>{word}</Status>
}

export function Shape({ tone, size = 10 }: { readonly tone: Tone; readonly size?: number }) {
  return (
    <svg class={`shape ${tone}`} width={size} height={size} viewBox="0 0 12 12" aria-hidden="true">
      {tone === 'wait' ? (
        <>
          <circle cx="6" cy="6" r="4.500" fill="none" stroke="currentColor" stroke-width="1.600" />
          <path d="M6 1.500a4.500 4.500 0 0 1 0 9Z" fill="currentColor" />
        </>
      ) : (
        <path d={SHAPES[tone]} fill="currentColor" />
      )}
    </svg>
  )
}
