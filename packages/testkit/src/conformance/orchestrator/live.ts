import type { ObservedServer } from '@matchyard/core/ports'

export const isLive = ({ state }: ObservedServer): boolean => state !== 'exited'
