import type { ComponentType } from 'preact'
import type { IconName } from '../ui'

/** What a room is given: the address within it. */
export interface RoomView {
  /** What follows the room in the address: `['lob_…']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

/** A part of the console with its own place in the navigation. */
export interface Room {
  /** Its name in the address. */
  readonly id: string
  readonly title: string
  readonly icon: IconName
  readonly group: Group
  /** Also under the page, where it is narrow: four of them. */
  readonly isFirst?: boolean
  /** Beside its title: how many there are, or that something is wrong. */
  readonly Badge?: ComponentType
  /** Loaded when it is first entered. */
  load(): Promise<ComponentType<RoomView>>
}

export type Group = 'watch' | 'make' | 'project'
