export * from './create-project'
export * from './delete-project'
export * from './get-project'
export * from './list-projects'
