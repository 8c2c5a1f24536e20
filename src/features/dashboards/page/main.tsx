import { render } from 'preact';
import { App } from './app.tsx';
import { DashboardModel } from './model.ts';
import './dashboard.css';

const container = document.querySelector('#dashboard');
if (container) render(<App model={new DashboardModel(acquireVsCodeApi(), window)} />, container);
