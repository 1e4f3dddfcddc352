/** Paths of the icons, on a grid of 16 by 16, drawn in the colour of the text. */
const PATHS = {
  now: 'M2 8h3l2-5 3 10 2-5h2',
  problems: 'M8 2.5 14 13H2L8 2.5ZM8 6.5v3M8 11.3v.2',
  queues: 'M2.5 4h11M2.5 8h7.5M2.5 12h4.5',
  lobbies:
    'M5.5 7.5a2.3 2.3 0 1 0 0-4.600 2.3 2.3 0 0 0 0 4.600ZM1.800 13c.2-2.300 1.700-3.600 3.700-3.600S9 10.700 9.200 13M10.600 7.300a2 2 0 1 0-.500-3.900M11 9.500c1.800.100 3 1.300 3.200 3.500',
  matches: 'M3 3l4.500 4.500M13 3 4 12M3 10l3 3M13 13 8.700 8.700M13 10l-3 3',
  machines: 'M4 1.500h8v13H4zM6.500 4h3M6.500 6.500h3M8 12h.1',
  servers: 'M2.500 3h11v4h-11zM2.500 9h11v4h-11zM5 5h.1M5 11h.1',
  builds: 'M8 1.800 13.500 5v6L8 14.200 2.500 11V5L8 1.800ZM2.700 5.100 8 8.100l5.300-3M8 8.100v6',
  play: 'M4.500 2.800v10.400L13 8 4.500 2.800Z',
  usage: 'M2.500 13.500v-4M6.200 13.500v-8M9.800 13.500v-6M13.500 13.500v-11',
  settings:
    'M3 4.500h5M11.500 4.500H13M3 11.500h1.500M8 11.500h5M9.700 6.300a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600ZM6.200 13.300a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600Z',
  player: 'M8 8a2.800 2.800 0 1 0 0-5.600A2.800 2.800 0 0 0 8 8ZM2.800 14c.3-2.600 2.400-4 5.200-4s4.900 1.400 5.200 4',
  ratings: 'M2 13.500V9h4V4h4v6.500h4v3H2ZM6 9v4.500M10 10.500v3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.700 10.700 14 14',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  check: 'M3 8.500 6.500 12 13 4.500',
  cross: 'M4 4l8 8M12 4l-8 8',
  back: 'M10 3 5 8l5 5',
  more: 'M6 3l5 5-5 5',
  down: 'M3.500 6 8 10.500 12.500 6',
  sun: 'M8 10.800a2.800 2.800 0 1 0 0-5.600 2.800 2.800 0 0 0 0 5.600ZM8 1.500v1.300M8 13.200v1.300M1.500 8h1.300M13.200 8h1.300M3.400 3.400l.9.9M11.700 11.700l.9.9M12.600 3.400l-.9.9M4.300 11.700l-.9.9',
  moon: 'M13.500 9.500A5.800 5.800 0 0 1 6.500 2.500a5.800 5.800 0 1 0 7 7Z',
  screen: 'M2 3h12v8H2zM6 13.500h4',
  out: 'M6.500 2.500h-4v11h4M6.500 8h7M10.500 5l3 3-3 3',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  plus: 'M8 3v10M3 8h10',
  trash: 'M2.500 4h11M6 4V2.500h4V4M4 4l.7 9.500h6.600L12 4M6.700 7v4M9.300 7v4',
  edit: 'M10.500 3 13 5.500 5.500 13H3v-2.500L10.500 3Z',
  upload: 'M8 10.500v-8M4.500 5.500 8 2l3.500 3.500M2.500 11v2.500h11V11',
  stop: 'M3.500 3.500h9v9h-9z',
  again: 'M13 8a5 5 0 1 1-1.500-3.500M13 2v3h-3',
  undo: 'M3 6.500h7a3.500 3.500 0 0 1 0 7H6M6 3.500l-3 3 3 3',
  bolt: 'M9 1.500 3.500 9H8l-1 5.500L12.500 7H8l1-5.500Z',
  link: 'M6.500 9.500l3-3M7.500 4.500l1.300-1.300a2.600 2.600 0 0 1 3.900 3.500L11.200 8.200M8.500 11.500l-1.300 1.300a2.600 2.600 0 0 1-3.900-3.500l1.500-1.500',
  eye: 'M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8ZM8 9.800a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600Z',
} as const

export type IconName = keyof typeof PATHS

/** Icon, hidden from screen readers. A text beside it or the label of its button gives the meaning. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
