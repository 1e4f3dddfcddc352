import type { Room } from '../room'

export const now: Room = {
  id: 'now',
  title: 'Now',
  icon: 'now',
  group: 'watch',
  isFirst: true,
  load: async () => (await import('./view')).View,
}
