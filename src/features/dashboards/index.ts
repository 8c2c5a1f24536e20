export { DashboardData } from './dashboard-data.ts';
export { membersOf } from './members.ts';
