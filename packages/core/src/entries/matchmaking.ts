// The engine that core runs with, for who tries rules on a pool of their own: the same one, never a second version of it.
export * from '@matchyard/matchmaking'
