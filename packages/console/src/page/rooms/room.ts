import type { ComponentType } from 'preact'
import type { IconName } from '../ui'

/** Input of a room: the address within it. */
export interface RoomView {
  /** Path after the room in the address: `['lob_…']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

/** A part of the console with its own place in the navigation. */
export interface Room {
  /** Name of the room in the address. */
  readonly id: string
  readonly title: string
  readonly icon: IconName
  readonly group: Group
  /** Whether the room is in the bar under a narrow page, which has four. */
  readonly isFirst?: boolean
  /** Beside its title: how many there are, or that something is wrong. */
  readonly Badge?: ComponentType
  /** Loaded when it is first entered. */
  load(): Promise<ComponentType<RoomView>>
}

export type Group = 'watch' | 'make' | 'project'
