import { render } from 'preact';
import { App } from './app.tsx';
import { LogModel } from './model.ts';
import './log.css';

const place = document.querySelector('#log');
if (place) render(<App model={new LogModel(acquireVsCodeApi(), window)} />, place);
