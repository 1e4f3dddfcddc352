import type { ObservedServer } from '@matchyard/core'

export const isLive = ({ state }: ObservedServer): boolean => state !== 'exited'
