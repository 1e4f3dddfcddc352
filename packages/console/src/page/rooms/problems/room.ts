import type { Room } from '../room'
import { ProblemBadge } from './badge'

export const problems: Room = {
  id: 'problems',
  title: 'Problems',
  icon: 'problems',
  group: 'watch',
  isFirst: true,
  Badge: ProblemBadge,
  load: async () => (await import('./view')).View,
}
