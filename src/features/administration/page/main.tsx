import { render } from 'preact';
import { App } from './app.tsx';
import { FormModel } from './model.ts';
import './form.css';

const container = document.querySelector('#form');
if (container) render(<App model={new FormModel(acquireVsCodeApi(), window)} />, container);
