import type { Room } from '../room'

export const queues: Room = {
  id: 'queues',
  title: 'Queues',
  icon: 'queues',
  group: 'watch',
  isFirst: true,
  load: async () => (await import('./view')).View,
}
