import type { Member, Project } from '@matchyard/client/admin'

/** Role of a person in a project. */
export type Role = Member['role']

/** Roles from the lowest to the highest, each with its label and its rights. */
export const ROLES: readonly (readonly [role: Role, label: string, rights: string])[] = [
  ['viewer', 'Viewer', 'Sees everything in the project, and changes nothing.'],
  ['support', 'Support', 'Also removes players from lobbies and queues, and bans them.'],
  ['developer', 'Developer', 'Also plays, and changes queues, builds, ratings, webhooks and game servers.'],
  ['admin', 'Admin', 'Also invites members, and makes client keys that do not expire.'],
  ['owner', 'Owner', 'Also deletes the project and manages owners. The account of the project pays.'],
]

const rankOf = (role: Role): number => ROLES.findIndex(([one]) => one === role)

/** Whether the role of a project's person allows the calls that need the role `least`. */
export const mayAs = ({ role }: Pick<Project, 'role'>, least: Role): boolean => rankOf(role) >= rankOf(least)

/** Returns the label of a role. */
export const labelOfRole = (role: Role): string => ROLES[rankOf(role)]?.[1] ?? role
