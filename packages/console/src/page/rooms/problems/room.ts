import type { Room } from '../room'

export const problems: Room = {
  id: 'problems',
  title: 'Problems',
  icon: 'problems',
  group: 'watch',
  load: async () => (await import('./view')).View,
}
