// Generated from the command registry by 'cargo run -p svc-deploy-module -- generate'; do not edit.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace SvcDeploy
{
    /// <summary>The exported functions of the native library, one to one. Text is UTF-8 and ends with a zero byte.</summary>
    public static class Native
    {
        /// <summary>The version of the module that this file belongs to.</summary>
        public const string ModuleVersion = "0.1.0";

        private const string Library = "svc_deploy";
        private static readonly object Gate = new object();
        private static IntPtr handle;

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern uint svc_abi_version();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_core_monitor(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_monitor_log_alerts(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_monitor_metric_alerts(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_monitor_resource_health_alerts(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_iaas_private_endpoints(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_iaas_storage(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_iaas_bastion_host(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_paas_web(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_deployment(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_export_settings(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_export_template(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern int svc_operation_next(ulong operation, uint timeoutMs, out IntPtr message);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern int svc_operation_answer(ulong operation, byte[] answer);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern int svc_operation_cancel(ulong operation);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern int svc_operation_close(ulong operation);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern void svc_string_free(IntPtr text);

        /// <summary>Loads the library once per process; later calls, from any runspace, change nothing.</summary>
        /// <exception cref="DllNotFoundException">The file is missing, or is no library for this machine.</exception>
        public static void Load(string path)
        {
            lock (Gate)
            {
                if (handle != IntPtr.Zero) return;
                IntPtr loaded = NativeLibrary.Load(path);
                NativeLibrary.SetDllImportResolver(typeof(Native).Assembly, (name, assembly, search) => name == Library ? loaded : IntPtr.Zero);
                handle = loaded;
            }
        }
    }

    /// <summary>What Operation.Next found; the numbers are those of svc_operation_next.</summary>
    public enum PollResult
    {
        /// <summary>A message.</summary>
        Message = 0,
        /// <summary>Nothing within the time.</summary>
        Timeout = 1,
        /// <summary>The command has ended and all of its messages were taken.</summary>
        Finished = 2
    }

    /// <summary>One running command. It belongs to the thread of the pipeline that started it.</summary>
    public sealed class Operation : IDisposable
    {
        private readonly ulong id;

        /// <summary>Starts a command with a request in JSON.</summary>
        public Operation(string command, string request)
        {
            byte[] text = Encode(request);
            switch (command)
            {
                case "New-SvcCoreMonitor": id = Native.svc_new_core_monitor(text); break;
                case "New-SvcMonitorLogAlerts": id = Native.svc_new_monitor_log_alerts(text); break;
                case "New-SvcMonitorMetricAlerts": id = Native.svc_new_monitor_metric_alerts(text); break;
                case "New-SvcMonitorResourceHealthAlerts": id = Native.svc_new_monitor_resource_health_alerts(text); break;
                case "New-SvcIaasPrivateEndpoints": id = Native.svc_new_iaas_private_endpoints(text); break;
                case "New-SvcIaasStorage": id = Native.svc_new_iaas_storage(text); break;
                case "New-SvcIaasBastionHost": id = Native.svc_new_iaas_bastion_host(text); break;
                case "New-SvcPaasWeb": id = Native.svc_new_paas_web(text); break;
                case "New-SvcDeployment": id = Native.svc_new_deployment(text); break;
                case "Export-SvcSettings": id = Native.svc_export_settings(text); break;
                case "Export-SvcTemplate": id = Native.svc_export_template(text); break;
                default: throw new ArgumentOutOfRangeException(nameof(command), command, "There is no such command.");
            }
        }

        /// <summary>Waits for the next message, at most so many milliseconds.</summary>
        public PollResult Next(uint timeoutMs, out string message)
        {
            message = null;
            int status = Check(Native.svc_operation_next(id, timeoutMs, out IntPtr text));
            if (status == (int)PollResult.Message)
            {
                try { message = Marshal.PtrToStringUTF8(text); }
                finally { Native.svc_string_free(text); }
            }
            return (PollResult)status;
        }

        /// <summary>Answers a message that has an id. An answer that is not taken is a defect, and silence would wait for ever.</summary>
        public void Answer(string answer) { Check(Native.svc_operation_answer(id, Encode(answer))); }

        /// <summary>Asks the command to stop and returns at once.</summary>
        public void Cancel() { Native.svc_operation_cancel(id); }

        /// <summary>Gives the operation back; cancels it when it still runs.</summary>
        public void Dispose() { Native.svc_operation_close(id); }

        private static byte[] Encode(string text) { return Encoding.UTF8.GetBytes(text + '\0'); }

        private static int Check(int status)
        {
            if (status < 0) throw new InvalidOperationException("The library refuses a call for this operation (" + status + ").");
            return status;
        }
    }

    /// <summary>What a failed command throws or writes: the error code, and where it belongs.</summary>
    public sealed class DeploymentException : Exception
    {
        /// <summary>PowerShell passes text that is missing as empty text; here it is null again.</summary>
        public DeploymentException(string message, string code, string resourceId, string requestId, string document, object[] findings, object[] failures, object[] done) : base(message)
        {
            Code = code;
            ResourceId = string.IsNullOrEmpty(resourceId) ? null : resourceId;
            RequestId = string.IsNullOrEmpty(requestId) ? null : requestId;
            Document = string.IsNullOrEmpty(document) ? null : document;
            Findings = findings;
            Failures = failures;
            Done = done;
        }

        /// <summary>Stable, as in SettingsInvalid; Azure's own code where Azure refused.</summary>
        public string Code { get; }
        /// <summary>The resource that failed, or null.</summary>
        public string ResourceId { get; }
        /// <summary>Azure's x-ms-request-id for a support case, or null.</summary>
        public string RequestId { get; }
        /// <summary>The document of a deployment that it is about: its path, or its number where it was an object; else null.</summary>
        public string Document { get; }
        /// <summary>The findings of SettingsInvalid: objects with File, Line, Column, Path, Code and Message.</summary>
        public object[] Findings { get; }
        /// <summary>What failed, of DeploymentFailed: objects with Code, Category, Message, Recommendation, Target, ResourceId, RequestId and Document.</summary>
        public object[] Failures { get; }
        /// <summary>What the command had done when it failed: objects as it returns them, without Properties.</summary>
        public object[] Done { get; }
    }
}
