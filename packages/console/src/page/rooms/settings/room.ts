import type { Room } from '../room'

export const settings: Room = {
  id: 'settings',
  title: 'Settings',
  icon: 'settings',
  group: 'project',
  load: async () => (await import('./view')).View,
}
