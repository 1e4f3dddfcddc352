import type { ComponentType } from 'preact'
import type { IconName } from '../ui'

/** Address within a section. */
export interface RoomView {
  /** Path after the section in the address: `['lob_…']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

/** A section of the console, with its own entry in the navigation. */
export interface Room {
  /** Name of the section in the address. */
  readonly id: string
  readonly title: string
  readonly icon: IconName
  readonly group: Group
  /** Whether the bottom bar of a narrow page shows the section. Four sections are shown there. */
  readonly isFirst?: boolean
  /** Whether only accounts of operators see the section. */
  readonly isForOperators?: boolean
  /** Badge beside the title in the navigation: a count, or a sign of problems. */
  readonly Badge?: ComponentType
  /** Loads the section's view; called when the section is first entered. */
  load(): Promise<ComponentType<RoomView>>
}

export type Group = 'watch' | 'make' | 'project' | 'installation'
