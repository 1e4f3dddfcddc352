import type { Room } from '../room'

export const usage: Room = {
  id: 'usage',
  title: 'Usage and plan',
  icon: 'usage',
  group: 'project',
  load: async () => (await import('./view')).View,
}
