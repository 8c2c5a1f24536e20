import { render } from 'preact';
import { App } from './app.tsx';
import { DashboardModel } from './model.ts';
import './dashboard.css';

const place = document.querySelector('#dashboard');
if (place) render(<App model={new DashboardModel(acquireVsCodeApi(), window)} />, place);
