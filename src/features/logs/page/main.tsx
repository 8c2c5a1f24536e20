import { render } from 'preact';
import { App } from './app.tsx';
import { LogModel } from './model.ts';
import './log.css';

const container = document.querySelector('#log');
if (container) render(<App model={new LogModel(acquireVsCodeApi(), window)} />, container);
