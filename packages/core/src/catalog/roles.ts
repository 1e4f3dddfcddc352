/** Roles of the members of a project, from the lowest to the highest. Each role may do all that the roles before it may do. */
export const ROLES = ['viewer', 'support', 'developer', 'admin', 'owner'] as const
/** Role of a member of a project, one of `ROLES`. */
export type Role = (typeof ROLES)[number]

/** Whether a role may do all that another role may do. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least)

/** Returns the lower one of two roles. */
export const lowerRole = (one: Role, other: Role): Role => (isAtLeast(one, other) ? other : one)

export const isRole = (text: unknown): text is Role => (ROLES as readonly unknown[]).includes(text)
